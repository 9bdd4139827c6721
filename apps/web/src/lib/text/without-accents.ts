/**
 * Accents, and Hebrew and Arabic points, which a search ignores. Vowel signs of Hindi, Tamil or Thai and voicing marks of kana
 * are also marks in Unicode, but readers treat them as letters.
 */
const accents =
  /(?=\p{M})(?![\u3099\u309a])[\p{Script=Inherited}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}]/gu

/** Normalizes a name for search: ignores case, accents, character width and the dot of a Turkish i. */
export const withoutAccents = (text: string): string =>
  text.normalize('NFKD').toLowerCase().replace(accents, '').replaceAll('ı', 'i')
