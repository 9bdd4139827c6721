/**
 * Accents and Hebrew and Arabic points, which a search ignores. Unicode also classifies the vowel signs of Hindi, Tamil or Thai
 * and the voicing marks of kana as marks. They are not included here, because readers treat them as letters.
 */
const accents =
  /(?=\p{M})(?![\u3099\u309a])[\p{Script=Inherited}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}]/gu

/** Letters that Unicode doesn't decompose, and what people type if their keyboard lacks the letter. */
const typedAs: { readonly [letter: string]: string } = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ł: 'l',
  ı: 'i',
  ς: 'σ',
}
const special = /[ßæœøđłıς]/g

/** Normalizes a name for search: ignores case, accents, character width, the dot of a Turkish i and letters such as ß and ø. */
export const withoutAccents = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(accents, '')
    .replace(special, (letter) => typedAs[letter] ?? letter)
