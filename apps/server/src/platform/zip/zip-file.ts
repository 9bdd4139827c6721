import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { type Message, message } from '@postil/contract/wire/message.ts'
import type { Entry } from 'yauzl'
import { UnreadableFile } from '#platform/files/unreadable-file.ts'

/** An archive, or a file in it, that can't be read. The message completes a sentence that starts with the file's name. */
export class ZipFault extends UnreadableFile {}

export type ZipEntry = {
  /** The name as stored in the archive, with `/` between folders. */
  readonly name: string
  /** Whether the name is empty, points outside the archive or has control characters. */
  readonly isBadName: boolean
  readonly kind: 'file' | 'folder' | 'link'
  readonly packed: number
  readonly unpacked: number
  readonly entry: EntryPlace
}
/**
 * The data needed to read a file in an archive. It can be stored as JSON, so the archive's central directory doesn't have to be
 * read again.
 */
export type EntryPlace = Pick<
  Entry,
  'relativeOffsetOfLocalHeader' | 'compressedSize' | 'uncompressedSize' | 'compressionMethod' | 'generalPurposeBitFlag' | 'crc32'
>
export type ZipArchive = {
  /** All entries, in the order of the central directory. @throws ZipFault */
  readonly entries: () => AsyncGenerator<ZipEntry>
  /** A file's decompressed content, never more than `max` bytes. @throws ZipFault, even during iteration */
  readonly read: (entry: Pick<ZipEntry, 'entry' | 'name'>, max: number) => AsyncGenerator<Uint8Array>
  readonly close: () => void
}

/** Maximum compression ratio of a file, not counting its first megabytes. Real files stay far below it. */
const MAX_RATIO = 300
const FREE_BYTES = 10_000_000

const FILE_TYPE = 0o170000
const LINK = 0o120000
/** Archives created on Unix store a file's mode in the upper half of its attributes. */
const isLink = ({ versionMadeBy, externalFileAttributes }: Entry): boolean =>
  versionMadeBy >> 8 === 3 && ((externalFileAttributes >>> 16) & FILE_TYPE) === LINK

const placeOf = (entry: Entry): EntryPlace => {
  const { relativeOffsetOfLocalHeader, compressedSize, uncompressedSize, compressionMethod, generalPurposeBitFlag, crc32 } = entry
  return { relativeOffsetOfLocalHeader, compressedSize, uncompressedSize, compressionMethod, generalPurposeBitFlag, crc32 }
}

type Yauzl = typeof import('yauzl')

/** The flag that marks a name as UTF-8. */
const IS_UTF8 = 0x800

const described = (entry: Entry, { getFileNameLowLevel, validateFileName }: Yauzl): ZipEntry => {
  const { generalPurposeBitFlag, fileNameRaw, extraFields, compressedSize, uncompressedSize } = entry
  // macOS writes UTF-8 names without the flag. Names in other encodings are hardly ever valid UTF-8, so every name that is valid
  // UTF-8 is read as UTF-8.
  const flags = generalPurposeBitFlag | (isUtf8(fileNameRaw) ? IS_UTF8 : 0)
  const name = getFileNameLowLevel(flags, fileNameRaw, extraFields, true)
  const kind = isLink(entry) ? 'link' : name.endsWith('/') ? 'folder' : 'file'
  const isBadName = validateFileName(name) !== null || /\p{Cc}/u.test(name) || name === ''
  return { name, isBadName, kind, packed: compressedSize, unpacked: uncompressedSize, entry: placeOf(entry) }
}

const unreadable = (words: string): ZipFault => new ZipFault(`cannot be read: ${words}`, message('archiveUnread', { words }))

const faultOf = (error: unknown): unknown => {
  const { code = '', message: words, syscall } = error as NodeJS.ErrnoException
  if (error instanceof ZipFault || syscall !== undefined) return error
  return code === '' || code.startsWith('Z_') || code.startsWith('ERR_') ? unreadable(words) : error
}

/**
 * Opens a ZIP archive by its central directory.
 * @param notArchive the error for a file that is not an archive. For a workbook, it differs from the default, because users may
 * not know that a workbook is an archive
 * @throws ZipFault if the file is not an archive or has more than `maxEntries`
 */
export const openZip = async (
  path: string,
  maxEntries: number,
  notArchive: Message = message('notArchive'),
): Promise<ZipArchive> => {
  // Loaded when the first archive is read.
  const yauzl = (await import('yauzl')).default
  const zip = await yauzl
    .openPromise(path, {
      autoClose: false,
      lazyEntries: true,
      decodeStrings: false,
      validateEntrySizes: true,
    })
    .catch((error: unknown) => {
      const { syscall, message: words } = error as NodeJS.ErrnoException
      if (syscall !== undefined) throw error
      throw /end of central directory/i.test(words)
        ? new ZipFault('is not an archive or is incomplete', notArchive)
        : unreadable(words)
    })
  if (zip.entryCount > maxEntries) {
    zip.close()
    throw new ZipFault(`has ${zip.entryCount} entries, but at most ${maxEntries} are allowed`)
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
    if (entry.isEncrypted())
      throw new ZipFault(`has a file with a password: ${shown}`, message('archivePassword', { file: shown }))
    if (!entry.canDecodeFileData()) throw new ZipFault(`has a file with an unsupported compression method: ${shown}`)
    const most = Math.min(max, FREE_BYTES + packed * MAX_RATIO)
    const tooMuch = () =>
      new ZipFault(
        `has a file that unpacks to more than ${most} bytes: ${shown}`,
        message('archiveTooMuch', { file: shown, limit: most }),
      )
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
      if (sum !== entry.crc32)
        throw new ZipFault(`has a file that is damaged: ${shown}`, message('archiveDamaged', { file: shown }))
    } catch (error) {
      throw faultOf(error)
    } finally {
      stream?.destroy()
    }
  }
  return { entries, read, close: () => zip.close() }
}
