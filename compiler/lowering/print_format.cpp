//===- print_format.cpp - The formats of printf ---------------------------===//

#include "compiler/lowering/print_format.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <climits>

using namespace llvm;
using ka::PrintConversion;
using ka::PrintFormat;

namespace {

constexpr StringLiteral Integers = "diouxXc", Floats = "eEfFgGaA";

class Parser {
public:
  explicit Parser(StringRef Format) : Format(Format) {}

  PrintFormat run() {
    while (Result.Error.empty() && (At = Format.find('%', At)) != StringRef::npos)
      if (Format.substr(At, 2) == "%%")
        At += 2;
      else
        conversion();
    return std::move(Result);
  }

private:
  void conversion() {
    C = PrintConversion();
    C.Begin = At++;
    At = std::min(Format.find_first_not_of("-+ #0'", At), Format.size());
    C.TakesWidth = number("width", nullptr);
    if (take('$'))
      return fail("numbered arguments are not supported in kernels");
    if (take('.')) {
      C.HasPrecision = true;
      C.TakesPrecision = number("precision", &C.Precision);
    }
    if (take('v')) {
      unsigned Elements = 0;
      number("vector", &Elements);
      if (Elements != 2 && Elements != 3 && Elements != 4 && Elements != 8 && Elements != 16)
        return fail("vectors that can be printed have 2, 3, 4, 8 or 16 elements");
      C.Elements = Elements;
    }
    for (StringRef Length : {"hh", "hl", "h", "ll", "l", "j", "z", "t", "L"})
      if (Format.substr(At).starts_with(Length)) {
        C.Length = Format.substr(At, Length.size());
        At += Length.size();
        break;
      }
    if (At == Format.size())
      return fail("the format ends within a conversion");
    C.Letter = Format[At++];
    C.End = At;
    check();
    if (Result.Error.empty())
      Result.Conversions.push_back(C);
  }

  void check() {
    bool Integer = Integers.contains(C.Letter), Floating = Floats.contains(C.Letter);
    if (C.Letter == 'n')
      return fail("it stores into memory of the host, which printing from kernels cannot do");
    if (C.Length == "L")
      return fail("'long double' is not supported in kernels");
    if ((C.Length == "l" && (C.Letter == 'c' || C.Letter == 's')) || C.Letter == 'C' ||
        C.Letter == 'S')
      return fail("wide characters are not supported in kernels");
    if (!Integer && !Floating && C.Letter != 's' && C.Letter != 'p')
      return fail("this is no conversion of C17 that kernels can use");
    if (C.Elements) {
      if ((!Integer && !Floating) || C.Letter == 'c')
        return fail("of vectors only numbers can be printed");
      if (!StringSwitch<bool>(C.Length)
               .Cases("", "h", "hl", "l", true)
               .Case("hh", Integer)
               .Default(false))
        return fail("the lengths of elements are hh, h, hl and l; of floating-point ones h, hl "
                    "and l");
      return;
    }
    if (C.Length == "hl")
      return fail("the length 'hl' is for vectors, as in '%v4hld'");
    if (C.Length.empty() || (Floating && C.Length == "l") || (Integer && C.Letter != 'c'))
      return;
    fail("the length '" + C.Length.str() + "' does not go with '" + std::string(1, C.Letter) + "'");
  }

  bool take(char Wanted) {
    bool There = At < Format.size() && Format[At] == Wanted;
    At += There;
    return There;
  }

  /// A number, or a '*' where that is possible; true for the latter.
  bool number(StringRef What, unsigned *Value) {
    if (What != "vector" && take('*'))
      return true;
    size_t End = std::min(Format.find_first_not_of("0123456789", At), Format.size());
    unsigned Read = 0;
    if (End > At && (Format.slice(At, End).getAsInteger(10, Read) || Read > INT_MAX))
      fail("the " + What.str() + " is too large");
    if (Value)
      *Value = Read;
    At = End;
    return false;
  }

  void fail(const std::string &Why) {
    if (!Result.Error.empty())
      return;
    Result.Error = "'" + Format.slice(C.Begin, At).str() + "': " + Why;
    Result.Place = C.Begin;
  }

  StringRef Format;
  size_t At = 0;
  PrintConversion C;
  PrintFormat Result;
};

} // namespace

PrintConversion::ClassKind PrintConversion::kind() const {
  if (Letter == 's')
    return String;
  if (Letter == 'p')
    return Pointer;
  return Floats.contains(Letter) ? Floating : Integer;
}

unsigned PrintConversion::elementBytes() const {
  return StringSwitch<unsigned>(Length)
      .Case("hh", 1)
      .Case("h", 2)
      .Case("hl", 4)
      .Case("l", 8)
      .Default(0);
}

PrintFormat ka::parsePrintFormat(StringRef Format) { return Parser(Format).run(); }
