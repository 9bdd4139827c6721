import fc from 'fast-check'
import { tokenize } from '../tokens.ts'

/** Characters for which segmentation, folding and the query syntax have special rules. */
export const piece = fc.constantFrom(
  ...['a', 'B', 'é', 'e\u0301', 'İ', 'ß', 'Σ', 'ς', '1', '٣', '_', '.', ',', "'", '’', ':', ';', '-', '/', '@', '#', '*', '~'],
  ...['\\', '"', '(', '|', '+', '!', '=', '東', '京', 'カ', 'ひ', 'ส', '👍', '🏽', '\u200d', '🇩', '🇪', '\ufe0f', '\u20e3'],
  ...[
    '\ufeff',
    '\u00ad',
    '\u200b',
    '\u200e',
    '\u2060',
    '\u202f',
    '\u00a0',
    '\u3000',
    ' ',
    '\n',
    '\u0301',
    '𠀀',
    'क',
    'ि',
    'c',
    'd',
  ],
)
/** Texts with special characters, and arbitrary ones. */
export const text = fc.oneof(
  fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary', maxLength: 20 }).filter((one) => one.isWellFormed() && !one.includes('\0')),
)
/** The separator of written words. */
export const blank = /[^\S\ufeff\u202f]+/u
/** The words of a text as they are written, without those that consist of punctuation. */
export const writtenWords = (one: string) => one.split(blank).filter((word) => tokenize(word).length > 0)
/** Matches a written word that contains query operators. */
export const operator = /["|+()~*\\]|^-/u
/** A written word as a query without operators. */
export const escaped = (word: string) => word.replace(/["|+()~*\\-]/g, '\\$&')
