-- Has wrk send a file: wrk ... -s http_post.lua URL -- FILE
-- So that whoever reads it hears when wrk has begun.
io.stdout:setvbuf("line")

function init(arguments)
  local file = assert(io.open(arguments[1], "rb"))
  wrk.method = "POST"
  wrk.body = file:read("*a")
  file:close()
end

function done(summary)
  local errors = summary.errors
  io.write(string.format("answers 0 0 0 %d %d\n", summary.requests,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
