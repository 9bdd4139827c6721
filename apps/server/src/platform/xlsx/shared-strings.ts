import { readSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { LRUCache } from 'lru-cache'
import { readXml, WorkbookFault } from './xml.ts'

/**
 * The strings that cells refer to by number. They are stored in a temporary file, because a workbook may have millions of them.
 */
export type SharedStrings = { readonly at: (no: number) => string; readonly close: () => Promise<void> }

/** Maximum number of characters in a string. Excel allows 32,767 characters in a cell. */
const MAX_TEXT = 1_000_000
const MAX_STRINGS = 20_000_000
const FLUSH = 1 << 20
const BLOCK = 1 << 16
const BLOCKS = 128

/** Decodes escapes such as `_x000D_`, which represent a character by its number. */
export const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9a-f]{4})_/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text

/** Collects the text of an element that has runs. Omits phonetic hints. */
export const textCollector = () => {
  let text = ''
  let inText = false
  let isRead = 0
  return {
    open: (name: string): void => {
      if (name === 'rPh') isRead += 1
      else if (name === 't') inText = isRead === 0
    },
    text: (part: string): void => {
      if (!inText) return
      text += part
      if (text.length > MAX_TEXT) throw new WorkbookFault(`has a text with more than ${MAX_TEXT} characters`)
    },
    close: (name: string): void => {
      if (name === 'rPh') isRead -= 1
      else if (name === 't') inText = false
    },
    take: (): string => {
      const taken = unescaped(text)
      text = ''
      return taken
    },
  }
}

const offsets = () => {
  let list = new Float64Array(1024)
  let length = 0
  return {
    push: (value: number): void => {
      if (length > MAX_STRINGS) throw new WorkbookFault(`has more than ${MAX_STRINGS} different texts`)
      if (length === list.length) {
        const larger = new Float64Array(length * 2)
        larger.set(list)
        list = larger
      }
      list[length++] = value
    },
    at: (no: number): number | undefined => (no < length ? list[no] : undefined),
  }
}

/** @param path path of a temporary file to write */
export const spoolStrings = async (chunks: AsyncIterable<Uint8Array> | null, path: string): Promise<SharedStrings> => {
  const starts = offsets()
  const file = await open(path, 'w+', 0o600)
  let bytes = 0
  starts.push(0)
  try {
    let pending: Buffer[] = []
    let waiting = 0
    const flush = async (): Promise<void> => {
      await file.writeFile(Buffer.concat(pending))
      pending = []
      waiting = 0
    }
    const collector = textCollector()
    const handler = {
      open: collector.open,
      text: collector.text,
      close: (name: string): void => {
        collector.close(name)
        if (name !== 'si') return
        const text = Buffer.from(collector.take())
        pending.push(text)
        waiting += text.length
        bytes += text.length
        starts.push(bytes)
      },
    }
    if (chunks !== null) for await (const _ of readXml(chunks, handler)) if (waiting > FLUSH) await flush()
    await flush()
  } catch (error) {
    await file.close()
    await rm(path, { force: true })
    throw error
  }
  const { fd } = file
  const blocks = new LRUCache<number, Buffer>({ max: BLOCKS })
  const blockAt = (no: number): Buffer => {
    const known = blocks.get(no)
    if (known !== undefined) return known
    const block = Buffer.alloc(BLOCK)
    readSync(fd, block, 0, BLOCK, no * BLOCK)
    blocks.set(no, block)
    return block
  }
  return {
    at: (no) => {
      const [start, end] = [starts.at(no), starts.at(no + 1)]
      if (start === undefined || end === undefined)
        throw new WorkbookFault(`refers to text number ${no}, which it does not contain`)
      const block = Math.floor(start / BLOCK)
      if (end <= (block + 1) * BLOCK) return blockAt(block).toString('utf8', start - block * BLOCK, end - block * BLOCK)
      const text = Buffer.alloc(end - start)
      readSync(fd, text, 0, text.length, start)
      return text.toString('utf8')
    },
    close: async () => {
      await file.close()
      await rm(path, { force: true })
    },
  }
}
