import { StringDecoder } from 'node:string_decoder'
import type { SAXOptions } from 'sax'
import { UnreadableFile } from '#platform/files/unreadable-file.ts'

/**
 * A workbook that can't be read. The message is the rest of a sentence that begins with "The file", for example "has more than
 * 1000 different texts".
 */
export class WorkbookFault extends UnreadableFile {}

export type Attributes = { readonly [name: string]: string }
type XmlHandler = {
  /** @param name without its namespace prefix */
  readonly open: (name: string, attributes: Attributes) => void
  readonly text?: (text: string) => void
  readonly close?: (name: string) => void
}

/**
 * Maximum depth of nested elements. Limits memory, because open elements and their contents are kept in memory. Workbooks are
 * flat, with small elements.
 */
const MAX_DEPTH = 200
const MAX_ATTRIBUTES = 500
const parserTags = (parser: object): readonly unknown[] => (parser as { readonly tags: readonly unknown[] }).tags

/** Only the five predefined XML entities are recognized. */
const options: SAXOptions & { readonly strictEntities: true } = { strictEntities: true, position: false }

const local = (name: string): string => name.slice(name.indexOf(':') + 1)

/**
 * Parses XML as it arrives and passes it to a handler. Entities that the document declares are not recognized, so none can
 * expand. Yields each time the handler has received a chunk.
 * @throws WorkbookFault
 */
export async function* readXml(chunks: AsyncIterable<Uint8Array>, handler: XmlHandler): AsyncGenerator<void> {
  // Loaded when the first workbook is read.
  const { default: sax } = await import('sax')
  const parser = sax.parser(true, options)
  let fault: Error | null = null
  parser.onerror = (error) => {
    fault = error
  }
  let attributes = 0
  parser.onopentagstart = () => {
    attributes = 0
    if (parserTags(parser).length > MAX_DEPTH)
      throw new WorkbookFault(`has a part that is nested more than ${MAX_DEPTH} levels deep`)
  }
  parser.onattribute = () => {
    attributes += 1
    if (attributes > MAX_ATTRIBUTES)
      throw new WorkbookFault(`has a part with more than ${MAX_ATTRIBUTES} attributes on one element`)
  }
  parser.onopentag = (tag) => handler.open(local(tag.name), tag.attributes as Attributes)
  parser.onclosetag = (name) => handler.close?.(local(name))
  parser.ontext = (text) => handler.text?.(text)
  parser.oncdata = (text) => handler.text?.(text)
  const decoder = new StringDecoder('utf8')
  const feed = (text: string): void => {
    parser.write(text)
    if (fault !== null) throw new WorkbookFault(`has a part that is not valid XML: ${(fault as Error).message.split('\n')[0]}`)
  }
  for await (const chunk of chunks) {
    feed(decoder.write(chunk as Buffer))
    yield
  }
  feed(decoder.end())
  parser.close()
  if (fault !== null) throw new WorkbookFault('has an incomplete part')
  yield
}

/** Like `readXml`, for a small part that is read all at once. */
export const readWholeXml = async (chunks: AsyncIterable<Uint8Array>, handler: XmlHandler): Promise<void> => {
  for await (const _ of readXml(chunks, handler));
}
