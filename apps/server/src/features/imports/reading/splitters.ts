import { message } from '@postil/contract/wire/message.ts'
import { FormatFault, type Splitter } from './pieces.ts'

const LINE_FEED = 0x0a
export const RETURN = 0x0d
const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const isSpace = (byte: number | undefined) => byte === 0x20 || byte === LINE_FEED || byte === RETURN || byte === 0x09

/** One row per line. */
export const splitLines = (lineEnd = LINE_FEED): Splitter => ({
  lineEnd,
  next: (bytes, from) => bytes.indexOf(lineEnd, from) + 1 || -1,
  atEnd: () => null,
})

/**
 * Lines whose quoted cells may contain line endings. @param delimiter one ASCII character. @param lineEnd the byte that ends a
 * line
 */
export const splitTable = (delimiter: string, lineEnd = LINE_FEED): Splitter => {
  const between = delimiter.charCodeAt(0)
  let state: 'start' | 'bare' | 'quoted' | 'closed' = 'start'
  const after = (byte: number | undefined): typeof state => {
    if (state === 'quoted') return byte === QUOTE ? 'closed' : 'quoted'
    if (byte === QUOTE && state !== 'bare') return 'quoted'
    return byte === between || byte === lineEnd ? 'start' : 'bare'
  }
  return {
    lineEnd,
    next: (bytes, from) => {
      for (let at = from; at < bytes.length; at += 1) {
        const ends = bytes[at] === lineEnd && state !== 'quoted'
        state = after(bytes[at])
        if (ends) return at + 1
      }
      return -1
    },
    atEnd: () => (state === 'quoted' ? message('quoteUnclosed') : null),
  }
}

/** Blocks of lines, each with the empty lines around it. */
export const splitBlocks = (): Splitter => {
  let [hasText, isBlankLine] = [false, true]
  return {
    lineEnd: LINE_FEED,
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

/** Follows a JSON string to its end. The caller sets `isOpen` at the opening quote. */
const jsonText = () => {
  let isEscaped = false
  const text = {
    isOpen: false,
    read: (byte: number | undefined): void => {
      if (isEscaped) isEscaped = false
      else if (byte === BACKSLASH) isEscaped = true
      else if (byte === QUOTE) text.isOpen = false
    },
  }
  return text
}

/** JSON objects one after the other, each on any number of lines. Brackets are only counted, as in a list. */
export const splitObjects = (): Splitter => {
  let depth = 0
  const text = jsonText()
  /** Returns true at the end of an object. */
  const readObject = (byte: number | undefined): boolean => {
    if (byte === QUOTE) text.isOpen = true
    else if (byte === 0x5b || byte === 0x7b) depth += 1
    else if (byte === 0x5d || byte === 0x7d) {
      depth = Math.max(0, depth - 1)
      return depth === 0
    }
    return false
  }
  return {
    lineEnd: LINE_FEED,
    next: (bytes, from) => {
      for (let at = from; at < bytes.length; at += 1) {
        if (text.isOpen) text.read(bytes[at])
        else if (readObject(bytes[at])) return at + 1
      }
      return -1
    },
    // The rest is a row that isn't valid JSON.
    atEnd: () => null,
  }
}

/**
 * The items of one JSON list. Brackets are only counted, so that deep nesting causes no recursion.
 * @param inside true when reading continues after an item
 */
export const splitList = (inside: boolean): Splitter => {
  let place: 'before' | 'inside' | 'behind' = inside ? 'inside' : 'before'
  let depth = 0
  const text = jsonText()
  /** Returns true at the end of the item. */
  const readItem = (byte: number | undefined): boolean => {
    if (byte === QUOTE) text.isOpen = true
    else if (byte === 0x5b || byte === 0x7b) depth += 1
    else if (byte === 0x5d || byte === 0x7d) {
      if (depth === 0) place = 'behind'
      else depth -= 1
      return place === 'behind'
    }
    return byte === COMMA && depth === 0
  }
  const readOutside = (byte: number | undefined): void => {
    if (isSpace(byte)) return
    if (place === 'behind') throw new FormatFault(message('listEnded'))
    if (byte !== 0x5b) throw new FormatFault(message('notJsonList'))
    place = 'inside'
  }
  return {
    lineEnd: LINE_FEED,
    next: (bytes, from) => {
      for (let at = from; at < bytes.length; at += 1) {
        const byte = bytes[at]
        if (place !== 'inside') readOutside(byte)
        else if (text.isOpen) text.read(byte)
        else if (readItem(byte)) return at + 1
      }
      return -1
    },
    atEnd: () => (place === 'behind' ? null : place === 'before' ? message('noJsonList') : message('listUnclosed')),
  }
}
