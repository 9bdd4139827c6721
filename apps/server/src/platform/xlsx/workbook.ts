import { open } from 'node:fs/promises'
import { message } from '@postil/contract/wire/message.ts'
import { openZip, type ZipArchive, type ZipEntry, ZipFault } from '#platform/zip/zip-file.ts'
import { type DateKind, dateKindOf } from './dates.ts'
import { type SharedStrings, spoolStrings } from './shared-strings.ts'
import { type SheetRow, sheetRows } from './sheet.ts'
import { readWholeXml, WorkbookFault } from './xml.ts'

export type Workbook = {
  /** Names of the sheets that have cells, in order. */
  readonly sheets: readonly string[]
  /** @param scratch path of a temporary file to write */
  readonly rows: (sheet: number, scratch: string) => AsyncGenerator<SheetRow>
  readonly close: () => void
}

const MAX_ENTRIES = 20_000
/** Maximum decompressed bytes of the parts that describe the workbook's structure. */
const MAX_PART = 32_000_000
/** Maximum decompressed bytes of a sheet, or of the shared strings of all sheets. */
const MAX_SHEET = 8_000_000_000

const OLD = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
const SEALED = Buffer.from('EncryptedPackage', 'utf16le')

/** Workbooks from before 2007 and password-protected workbooks use the same container format, which is not ZIP. */
const refuseOld = async (path: string): Promise<void> => {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const head = Buffer.alloc(OLD.length)
    await file.read(head, 0, head.length, 0)
    if (!head.equals(OLD)) return
    const part = Buffer.alloc(Math.min(size, 1_000_000))
    for (const at of [0, size - part.length]) {
      await file.read(part, 0, part.length, at)
      if (part.includes(SEALED)) throw new WorkbookFault('has a password', message('workbookPassword'))
    }
    throw new WorkbookFault('is a workbook of the old format .xls', message('workbookOlder'))
  } finally {
    await file.close()
  }
}

type Relation = { readonly id: string; readonly kind: string; readonly target: string }

/** The part that a relationship refers to. An invalid address is treated as the name of a missing part. */
const partAt = (target: string, folder: string): string => {
  try {
    return decodeURIComponent(new URL(target.replaceAll('\\', '/'), `file:///${folder}`).pathname.slice(1))
  } catch {
    return target
  }
}

/** @param base path of the part that has the relationships */
const relationsIn = async (parts: Parts, base: string): Promise<readonly Relation[]> => {
  const folder = base.slice(0, base.lastIndexOf('/') + 1)
  const found: Relation[] = []
  await parts.read(
    `${folder}_rels/${base.slice(folder.length)}.rels`,
    (name, { Id = '', Type = '', Target = '', TargetMode }) => {
      if (name !== 'Relationship' || TargetMode === 'External') return
      found.push({ id: Id, kind: Type.slice(Type.lastIndexOf('/') + 1), target: partAt(Target, folder) })
    },
  )
  return found
}

type Parts = {
  readonly read: (
    name: string,
    open: (name: string, attributes: { readonly [key: string]: string | undefined }) => void,
  ) => Promise<void>
  readonly chunks: (name: string, max: number) => AsyncGenerator<Uint8Array>
}

const partsOf = async (zip: ZipArchive): Promise<Parts> => {
  // Part names are case-insensitive.
  const known = new Map<string, ZipEntry>()
  for await (const entry of zip.entries()) if (entry.kind === 'file') known.set(entry.name.toLowerCase(), entry)
  const chunks: Parts['chunks'] = (name, max) => {
    const entry = known.get(name.toLowerCase())
    if (entry === undefined) throw new WorkbookFault(`is not a workbook: the part ${JSON.stringify(name)} is missing`)
    return zip.read(entry, max)
  }
  return { chunks, read: (name, open) => readWholeXml(chunks(name, MAX_PART), { open }) }
}

const stylesIn = async (parts: Parts, name: string | undefined): Promise<readonly DateKind[]> => {
  if (name === undefined) return []
  const codes = new Map<number, string>()
  const styles: DateKind[] = []
  let inCells = false
  await parts.read(name, (tag, { numFmtId = '0', formatCode = '' }) => {
    if (tag === 'numFmt') codes.set(Number(numFmtId), formatCode)
    else if (tag === 'cellXfs') inCells = true
    else if (tag === 'cellStyles' || tag === 'dxfs') inCells = false
    else if (tag === 'xf' && inCells) styles.push(dateKindOf(Number(numFmtId), codes.get(Number(numFmtId))))
  })
  return styles
}

const contents = async (parts: Parts) => {
  const main = (await relationsIn(parts, '')).find(({ kind }) => kind === 'officeDocument')?.target
  if (main === undefined) throw new WorkbookFault('is not a workbook')
  if (/\.bin$/i.test(main))
    throw new WorkbookFault('is a workbook of the format .xlsb', message('oldWorkbook', { format: 'xlsb' }))
  const relations = await relationsIn(parts, main)
  const sheets: { readonly name: string; readonly part: string }[] = []
  let from1904 = false
  await parts.read(main, (tag, attributes) => {
    if (tag === 'workbookPr') from1904 = ['1', 'true'].includes(attributes['date1904'] ?? '')
    if (tag !== 'sheet') return
    const id = Object.entries(attributes).find(([key]) => /:id$/i.test(key))?.[1]
    const part = relations.find((one) => one.id === id && one.kind === 'worksheet')?.target
    if (part !== undefined) sheets.push({ name: attributes['name'] ?? '', part })
  })
  if (sheets.length === 0) throw new WorkbookFault('has no worksheets')
  const partOf = (wanted: string) => relations.find(({ kind }) => kind === wanted)?.target
  return { sheets, from1904, strings: partOf('sharedStrings'), styles: await stylesIn(parts, partOf('styles')) }
}

/** Rethrows any error about the archive as an error about the workbook, because messages about archives would confuse users. */
const asWorkbookFault = (error: unknown): never => {
  if (!(error instanceof ZipFault)) throw error
  throw new WorkbookFault(error.message, error.coded?.code === 'notWorkbook' ? error.coded : undefined)
}

/** Opens a workbook (.xlsx). Formulas are not computed: cells have their saved values. @throws WorkbookFault */
export const openWorkbook = async (path: string): Promise<Workbook> => {
  await refuseOld(path)
  const zip = await openZip(path, MAX_ENTRIES, message('notWorkbook')).catch(asWorkbookFault)
  try {
    const parts = await partsOf(zip)
    const { sheets, from1904, strings, styles } = await contents(parts)
    return {
      sheets: sheets.map(({ name }) => name),
      close: zip.close,
      rows: async function* (no, scratch) {
        const sheet = sheets[no]
        if (sheet === undefined) throw new WorkbookFault(`has no sheet ${no + 1}`)
        let shared: SharedStrings | undefined
        try {
          shared = await spoolStrings(strings === undefined ? null : parts.chunks(strings, MAX_SHEET), scratch)
          yield* sheetRows(parts.chunks(sheet.part, MAX_SHEET), { strings: shared, styles, from1904 })
        } catch (error) {
          asWorkbookFault(error)
        } finally {
          await shared?.close()
        }
      },
    }
  } catch (error) {
    zip.close()
    return asWorkbookFault(error)
  }
}
