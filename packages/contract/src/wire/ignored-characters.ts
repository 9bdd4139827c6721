/**
 * Invisible formatting characters: soft hyphens, direction marks and word joiners. They are ignored by search and by the code
 * that highlights matches. Characters that change a letter or an emoji are not included.
 */
const ignoredCharacters = /[\u00ad\u061c\u180e\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/gu

export const withoutIgnoredCharacters = (text: string): string => text.replace(ignoredCharacters, '')
