/**
 * Signs that say how a text is set and are not read: soft hyphens, marks of direction, joiners of words. A search is blind to them, and so is
 * whoever marks what it has found. Those that make another letter or emoji are none of them.
 */
const unread = /[\u00ad\u061c\u180e\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/gu

export const withoutUnreadSigns = (text: string): string => text.replace(unread, '')
