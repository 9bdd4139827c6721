import { message } from '@postil/contract/wire/message.ts'
import { closingQuoteAt, isEscapedAt } from '#platform/json-text.ts'
import { FormatFault, type Splitter } from './pieces.ts'

const LINE_FEED = 0x0a
const RETURN = 0x0d
const QUOTE = 0x22
const APOSTROPHE = 0x27
const COMMA = 0x2c
const isSpace = (byte: number | undefined) => byte === 0x20 || byte === LINE_FEED || byte === RETURN || byte === 0x09

/** One row per line. Lines end with LF, CR LF or CR, as in files from old Macintosh programs. */
export const splitLines = (): Splitter => {
  /** Whether the last scanned byte is a carriage return, whose line feed may follow. */
  let afterReturn = false
  return {
    next: (bytes, from) => {
      if (afterReturn && from < bytes.length) {
        afterReturn = false
        return bytes[from] === LINE_FEED ? from + 1 : from
      }
      const feed = bytes.indexOf(LINE_FEED, from)
      const returned = bytes.subarray(from, feed === -1 ? undefined : feed).indexOf(RETURN)
      if (returned === -1) return feed + 1 || -1
      const at = from + returned + 1
      if (at < bytes.length) return bytes[at] === LINE_FEED ? at + 1 : at
      afterReturn = true
      return -1
    },
    atEnd: () => null,
  }
}

/** Lines whose quoted cells may contain line endings. @param delimiter one ASCII character */
export const splitTable = (delimiter: string): Splitter => {
  const between = delimiter.charCodeAt(0)
  let state: 'start' | 'bare' | 'quoted' | 'closed' | 'returned' = 'start'
  const after = (byte: number | undefined): typeof state => {
    if (state === 'quoted') return byte === QUOTE ? 'closed' : 'quoted'
    if (byte === QUOTE && state !== 'bare') return 'quoted'
    if (byte === RETURN) return 'returned'
    return byte === between ? 'start' : 'bare'
  }
  return {
    next: (bytes, from) => {
      for (let at = from; at < bytes.length; at += 1) {
        const byte = bytes[at]
        if (state === 'returned') {
          state = 'start'
          return byte === LINE_FEED ? at + 1 : at
        }
        if (byte === LINE_FEED && state !== 'quoted') {
          state = 'start'
          return at + 1
        }
        state = after(byte)
      }
      return -1
    },
    atEnd: () => (state === 'quoted' ? message('quoteUnclosed') : null),
    skipLine: () => {
      state = 'start'
    },
  }
}

/** The whole file as one piece. */
export const splitNothing = (): Splitter => ({ next: () => -1, atEnd: () => null })

/** Blocks of lines, each with the empty lines around it. */
export const splitBlocks = (): Splitter => {
  let [hasText, isBlankLine] = [false, true]
  return {
    next: (bytes, from) => {
      for (let at = from; at < bytes.length; at += 1) {
        const byte = bytes[at]
        if (byte !== LINE_FEED) {
          if (!isSpace(byte)) [hasText, isBlankLine] = [true, false]
          continue
        }
        const ends = hasText && isBlankLine
        isBlankLine = true
        if (!ends) continue
        hasText = false
        return at + 1
      }
      return -1
    },
    atEnd: () => null,
  }
}

/**
 * Finds the end of a quoted string. To start a string, the caller passes its opening quote to `begins`.
 * @param areSingle whether single quotes also delimit strings, as in Python
 */
const quotedText = (areSingle: boolean) => {
  let isEscaped = false
  let quote: number | undefined
  return {
    isOpen: (): boolean => quote !== undefined,
    /** Begins a string if the byte is a quote. */
    begins: (byte: number | undefined): boolean => {
      if (byte !== QUOTE && !(areSingle && byte === APOSTROPHE)) return false
      quote = byte
      return true
    },
    /**
     * Reads up to the end of the string. @returns the position after it, or the number of bytes if the string doesn't end here
     */
    skip: (bytes: Uint8Array, from: number): number => {
      const start = isEscaped ? from + 1 : from
      const end = closingQuoteAt(bytes, start, quote)
      isEscaped = end >= bytes.length && isEscapedAt(bytes, start, bytes.length)
      if (end < bytes.length) quote = undefined
      return Math.min(end + 1, bytes.length)
    },
  }
}

const opens = (byte: number | undefined): boolean => byte === 0x5b || byte === 0x7b
const closes = (byte: number | undefined): boolean => byte === 0x5d || byte === 0x7d

/**
 * Splits text into consecutive JSON objects. An object may span several lines. Counts brackets instead of parsing recursively, as
 * `splitList` does.
 * @param areSingle whether single quotes also delimit strings
 */
export const splitObjects = (areSingle = false): Splitter => {
  let depth = 0
  const text = quotedText(areSingle)
  /** Returns true at the end of an object. */
  const readObject = (byte: number | undefined): boolean => {
    if (text.begins(byte)) return false
    if (opens(byte)) depth += 1
    else if (closes(byte)) {
      depth = Math.max(0, depth - 1)
      return depth === 0
    }
    return false
  }
  return {
    next: (bytes, from) => {
      for (let at = from; at < bytes.length; ) {
        if (text.isOpen()) {
          at = text.skip(bytes, at)
          continue
        }
        at += 1
        if (readObject(bytes[at - 1])) return at
      }
      return -1
    },
    // The remaining bytes are treated as a row. The row is reported as invalid JSON when it is parsed.
    atEnd: () => null,
  }
}

const LIST = 0x5b
const OBJECT = 0x7b

/** Where reading begins: before the list, after an item, or after the end of the list. */
export type ListPlace = 'before' | 'inside' | 'behind'

type ListOptions = {
  readonly begins: ListPlace
  /** Whether the items are the members of an object, each with its key. */
  readonly areMembers?: boolean
  /** Whether single quotes also delimit strings. */
  readonly areSingle?: boolean
}

/**
 * Splits a JSON list into its items, or a JSON object into its members. Counts brackets instead of parsing recursively, so deep
 * nesting is safe. Another list may follow the first one. Any other text after a list becomes one piece.
 */
export const splitList = ({ begins, areMembers = false, areSingle = false }: ListOptions): Splitter => {
  const opening = areMembers ? OBJECT : LIST
  let place: ListPlace | 'extra' = begins
  let depth = 0
  const text = quotedText(areSingle)
  /** Returns true at the end of the item. */
  const readItem = (byte: number | undefined): boolean => {
    if (text.begins(byte)) return false
    if (opens(byte)) depth += 1
    else if (closes(byte)) {
      if (depth === 0) place = 'behind'
      else depth -= 1
      return place === 'behind'
    }
    return byte === COMMA && depth === 0
  }
  /** Returns true if a further list begins. */
  const readOutside = (byte: number | undefined): boolean => {
    if (isSpace(byte)) return false
    const isFurther = place === 'behind'
    if (byte === opening) place = 'inside'
    else if (isFurther) place = 'extra'
    else throw new FormatFault(message('notJsonList'))
    return isFurther && place === 'inside'
  }
  return {
    next: (bytes, from) => {
      for (let at = from; at < bytes.length; ) {
        if (place === 'extra') return -1
        if (text.isOpen()) {
          at = text.skip(bytes, at)
          continue
        }
        at += 1
        // The opening bracket of a further list becomes a separate piece. At the start of the next piece, it could look like part
        // of an item.
        if (place === 'inside' ? readItem(bytes[at - 1]) : readOutside(bytes[at - 1])) return at
      }
      return -1
    },
    atEnd: () => (place === 'before' ? message('noJsonList') : place === 'inside' ? message('listUnclosed') : null),
  }
}
