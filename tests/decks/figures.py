"""Figures as sentences write them: ``{share}``, ``{share:en}`` in words, ``{share:zh-Hant}`` as one counts,
``{share:+}`` with its sign."""

_ENGLISH = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_DIGITS = "〇一二三四五六七八九"
_TWO = {"zh-Hant": "兩", "zh-Hans": "两"}


class Figure(int):
    """A number of the rules, computed by them."""

    def __format__(self, how: str) -> str:
        number = int(self)
        if how == "en":
            return _ENGLISH[number]
        if how in _TWO:
            if number < 10:
                return _TWO[how] if number == 2 else _DIGITS[number]
            tens, ones = divmod(number, 10)
            return (_DIGITS[tens] if tens > 1 else "") + "十" + (_DIGITS[ones] if ones else "")
        digits = str(abs(number))
        sign = "−" if number < 0 else "+" if how == "+" and number > 0 else ""
        return sign + digits
