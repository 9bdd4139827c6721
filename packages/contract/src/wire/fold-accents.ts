/**
 * Matches accents, and Hebrew and Arabic points. Unicode also classifies the vowel signs of Hindi, Tamil or Thai and the voicing
 * marks of kana as marks, but readers treat them as letters. Variation selectors are not accents: they only change how a
 * character looks.
 */
const accents =
  /(?=\p{Mn})(?!\u3099|\u309a|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}])[\p{Script=Inherited}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}]/gu

/** Letters that Unicode doesn't decompose, each with the text that people type if their keyboard lacks the letter. */
const typedAs: { readonly [letter: string]: string } = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  đ: 'd',
  Đ: 'D',
  ł: 'l',
  Ł: 'L',
  ı: 'i',
}
const special = /[ßẞæÆœŒøØđĐłŁı]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: tests for plain ASCII, which has no accents
const notAscii = /[^\x00-\x7f]/

/**
 * The form in which text and searches are compared in datasets that ignore accents. Case and everything else stay the same. The
 * result has no accents, so applying the function twice changes nothing.
 */
export const foldAccents = (text: string): string =>
  notAscii.test(text)
    ? text
        .normalize('NFD')
        .replace(accents, '')
        .replace(special, (letter) => typedAs[letter] ?? letter)
        .normalize('NFC')
    : text
