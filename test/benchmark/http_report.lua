-- What wrk prints last: the quantiles in microseconds, how many answers came, and how many were wrong.
-- So that whoever reads it hears when wrk has begun.
io.stdout:setvbuf("line")

function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format("answers %d %d %d %d %d\n", latency:percentile(50),
    latency:percentile(99), latency.max, summary.requests, errors.connect + errors.read +
    errors.write + errors.status + errors.timeout))
end
