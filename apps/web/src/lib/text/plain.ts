/**
 * Accents, Hebrew and Arabic points: a name is found without them. The vowel signs of Hindi, Tamil or Thai are marks for Unicode too, and
 * letters to their readers, as a voiced kana is.
 */
const accents =
  /(?=\p{M})(?![\u3099\u309a])[\p{Script=Inherited}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}]/gu

/** A name as it is looked for: case and accents make no difference, nor does the width of its letters; nor the dot of a Turkish i. */
export const plainOf = (text: string): string => text.normalize('NFKD').toLowerCase().replace(accents, '').replaceAll('ı', 'i')
