int answer(void) { return 42; }
int main(void) { return answer() - 42; }
