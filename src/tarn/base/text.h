#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tarn {

// "; did you mean 'x'?" for the candidate nearest to `name`, or "; known: a, b, c" when none is
// near, or nothing when there are no candidates. Ends a message about an unknown name.
std::string DidYouMean(std::string_view name, const std::vector<std::string>& candidates);

// ASCII only, locale-free: for keywords and schemes.
std::string AsciiLower(std::string_view text);
bool AsciiEqualsIgnoreCase(std::string_view a, std::string_view b);

std::vector<std::string> Split(std::string_view text, char separator);
std::string Join(const std::vector<std::string>& parts, std::string_view separator);

// The lines of a library's message in one: "a\n\nb\n" is "a; b".
std::string OneLine(std::string_view message);

// All of `text` as a decimal integer ("-12"), or nothing.
std::optional<int64_t> ParseInt64(std::string_view text);

// Whether `text` is valid UTF-8 (RFC 3629: no surrogates, no overlong forms).
bool IsUtf8(std::string_view text);

// RFC 3986: every byte but A-Z a-z 0-9 - . _ ~ and those in `keep` becomes %XX (upper case).
std::string PercentEncode(std::string_view text, std::string_view keep);
// Decodes %XX; a '%' that does not start two hex digits stays as it is.
std::string PercentDecode(std::string_view text);

std::string HexEncode(std::string_view bytes);
std::optional<std::string> HexDecode(std::string_view text);
std::string Base64Encode(std::string_view bytes);
std::optional<std::string> Base64Decode(std::string_view text);

// For people: "1,234,567"; "12.3 MB" (decimal units); "5s", "3m 07s", "1h 02m".
std::string HumanCount(int64_t count);
std::string HumanBytes(int64_t bytes);
std::string HumanDuration(int64_t seconds);

}  // namespace tarn
