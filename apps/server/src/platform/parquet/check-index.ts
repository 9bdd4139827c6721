import { ParquetFault } from './fault.ts'

/** Maximum number of values in a footer. A thousand row groups of a hundred columns have about two million. */
const MAX_VALUES = 4_000_000
const MAX_DEPTH = 16

/**
 * Checks metadata in Thrift's compact protocol before the library reads it. A value can be as small as one byte, but the library
 * creates an object for each value. A small file could therefore fill the memory. This check creates no objects. @throws
 * ParquetFault
 */
export const checkThrift = (bytes: Uint8Array): void => {
  let at = 0
  let values = 0
  const broken = () => new ParquetFault('has an unreadable index')
  const byte = (): number => bytes[at++] ?? fail()
  const fail = (): never => {
    throw broken()
  }
  const varint = (): number => {
    let value = 0
    for (let shift = 0; shift < 70; shift += 7) {
      const one = byte()
      value += (one & 0x7f) * 2 ** shift
      if (one < 0x80) return value
    }
    return fail()
  }
  const list = (depth: number): void => {
    const head = byte()
    const size = head >> 4 === 15 ? varint() : head >> 4
    for (let i = 0; i < size; i += 1) element(head & 15, depth, true)
  }
  const skip = (length: number): void => {
    at += length
    if (at > bytes.length) fail()
  }
  /** Functions that skip a value, keyed by type. Outside lists, a boolean has no bytes, because its type encodes its value. */
  const readers: { readonly [type: number]: (depth: number, inList: boolean) => void } = {
    1: (_, inList) => skip(inList ? 1 : 0),
    2: (_, inList) => skip(inList ? 1 : 0),
    3: () => skip(1),
    4: () => void varint(),
    5: () => void varint(),
    6: () => void varint(),
    7: () => skip(8),
    8: () => skip(varint()),
    9: (depth) => list(depth + 1),
    12: (depth) => struct(depth + 1),
  }
  const element = (type: number, depth: number, inList: boolean): void => {
    values += 1
    if (values > MAX_VALUES) {
      throw new ParquetFault(`has an index with more than ${MAX_VALUES} values. Write it with larger row groups`)
    }
    const read = depth > MAX_DEPTH ? fail : (readers[type] ?? fail)
    read(depth, inList)
  }
  const struct = (depth: number): void => {
    for (let head = byte(); (head & 15) !== 0; head = byte()) {
      if (head >> 4 === 0) varint()
      element(head & 15, depth, false)
    }
  }
  struct(0)
}
