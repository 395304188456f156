.globl a
a:
  movl $40, %eax
  ret
.section .note.GNU-stack,"",%progbits
