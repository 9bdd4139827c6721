import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import type { Entry } from 'yauzl'

/** An archive that cannot be read, or a file in it; the message is the rest of a sentence that names it. */
export class ZipFault extends Error {}

export type ZipEntry = {
  /** As it stands in the archive, `/` between folders. */
  readonly name: string
  /** Why the name is none that may be used: a sentence's rest; null where it is one. */
  readonly nameFault: string | null
  readonly kind: 'file' | 'folder' | 'link'
  readonly packed: number
  readonly unpacked: number
  readonly entry: EntryPlace
}
/** What a file of an archive is read by; it survives JSON, so that the archive's index need not be read again. */
export type EntryPlace = Pick<
  Entry,
  'relativeOffsetOfLocalHeader' | 'compressedSize' | 'uncompressedSize' | 'compressionMethod' | 'generalPurposeBitFlag' | 'crc32'
>
export type ZipArchive = {
  /** Every entry, in the order of the archive's index. @throws ZipFault */
  readonly entries: () => AsyncGenerator<ZipEntry>
  /** What is in a file, unpacked; never more than `max` bytes. @throws ZipFault, from the iteration too */
  readonly read: (entry: Pick<ZipEntry, 'entry' | 'name'>, max: number) => AsyncGenerator<Uint8Array>
  readonly close: () => void
}

/** A file may unpack to so many times its size, beyond the first megabytes of any file: what people make stays far below. */
const MAX_RATIO = 300
const FREE_BYTES = 10_000_000

const FILE_TYPE = 0o170000
const LINK = 0o120000
/** NOTE: who made the archive on a Unix writes the mode of a file into the upper half of its attributes */
const isLink = ({ versionMadeBy, externalFileAttributes }: Entry): boolean =>
  versionMadeBy >> 8 === 3 && ((externalFileAttributes >>> 16) & FILE_TYPE) === LINK

const placeOf = (entry: Entry): EntryPlace => {
  const { relativeOffsetOfLocalHeader, compressedSize, uncompressedSize, compressionMethod, generalPurposeBitFlag, crc32 } = entry
  return { relativeOffsetOfLocalHeader, compressedSize, uncompressedSize, compressionMethod, generalPurposeBitFlag, crc32 }
}

type Yauzl = typeof import('yauzl')

/** Says of a name that it is UTF-8. */
const IS_UTF8 = 0x800

const described = (entry: Entry, { getFileNameLowLevel, validateFileName }: Yauzl): ZipEntry => {
  const { generalPurposeBitFlag, fileNameRaw, extraFields, compressedSize, uncompressedSize } = entry
  // NOTE: a Macintosh writes UTF-8 and does not say so; a name of another encoding is hardly ever UTF-8 too
  const flags = generalPurposeBitFlag | (isUtf8(fileNameRaw) ? IS_UTF8 : 0)
  const name = getFileNameLowLevel(flags, fileNameRaw, extraFields, true)
  const kind = isLink(entry) ? 'link' : name.endsWith('/') ? 'folder' : 'file'
  const isBad = validateFileName(name) !== null || /\p{Cc}/u.test(name) || name === ''
  const nameFault = isBad ? 'has a name that leads out of the archive, or is none' : null
  return { name, nameFault, kind, packed: compressedSize, unpacked: uncompressedSize, entry: placeOf(entry) }
}

const faultOf = (error: unknown): unknown => {
  const { code = '', message, syscall } = error as NodeJS.ErrnoException
  if (error instanceof ZipFault || syscall !== undefined) return error
  return code === '' || code.startsWith('Z_') || code.startsWith('ERR_') ? new ZipFault(`cannot be read: ${message}`) : error
}

/**
 * Opens a ZIP archive by its index.
 * @param called what its sender calls it: not everybody knows that a workbook is an archive
 * @throws ZipFault for a file that is none, or has more than `maxEntries`
 */
export const openZip = async (path: string, maxEntries: number, called = 'a ZIP archive'): Promise<ZipArchive> => {
  // NOTE: loaded when the first archive is read
  const yauzl = (await import('yauzl')).default
  const zip = await yauzl
    .openPromise(path, {
      autoClose: false,
      lazyEntries: true,
      decodeStrings: false,
      validateEntrySizes: true,
    })
    .catch((error: unknown) => {
      const { syscall, message } = error as NodeJS.ErrnoException
      if (syscall !== undefined) throw error
      throw new ZipFault(
        /end of central directory/i.test(message) ? `is not ${called}, or not whole` : `cannot be read: ${message}`,
      )
    })
  if (zip.entryCount > maxEntries) {
    zip.close()
    throw new ZipFault(`has ${zip.entryCount} entries; at most ${maxEntries} can be read`)
  }
  async function* entries(): AsyncGenerator<ZipEntry> {
    try {
      for await (const entry of zip.eachEntry()) yield described(entry, yauzl)
    } catch (error) {
      throw faultOf(error)
    }
  }
  async function* read({ entry: place, name }: Pick<ZipEntry, 'entry' | 'name'>, max: number): AsyncGenerator<Uint8Array> {
    const entry: Entry = Object.assign(Object.create(yauzl.Entry.prototype) as Entry, place)
    const { compressedSize: packed, uncompressedSize: unpacked } = entry
    const shown = JSON.stringify(name.slice(0, 200))
    if (entry.isEncrypted()) throw new ZipFault(`has a file with a password: ${shown}`)
    if (!entry.canDecodeFileData()) throw new ZipFault(`has a file that is packed by a method that is not known: ${shown}`)
    const most = Math.min(max, FREE_BYTES + packed * MAX_RATIO)
    const tooMuch = () => new ZipFault(`has a file that unpacks to too much: ${shown} to more than ${most} bytes`)
    if (unpacked > most) throw tooMuch()
    let bytes = 0
    let sum = 0
    let stream: Readable | undefined
    try {
      stream = await zip.openReadStreamPromise(entry)
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        bytes += chunk.length
        if (bytes > most) throw tooMuch()
        sum = crc32(chunk, sum)
        yield chunk
      }
      if (sum !== entry.crc32) throw new ZipFault(`has a file that is damaged: ${shown}`)
    } catch (error) {
      throw faultOf(error)
    } finally {
      stream?.destroy()
    }
  }
  return { entries, read, close: () => zip.close() }
}
