import { type Member, makeZip } from '#platform/zip/testing/make-zip.ts'

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const kinds = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006/relationships'
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

export type MadeWorkbook = {
  /** Each sheet's rows, as the XML of their cells. */
  readonly sheets: { readonly [name: string]: readonly string[] }
  readonly strings?: readonly string[]
  /** IDs of the number formats of styles 0, 1, 2 … */
  readonly styles?: readonly number[]
  readonly formats?: { readonly [id: number]: string }
  readonly from1904?: boolean
  readonly more?: readonly Member[]
}

/** Creates a workbook in the form that spreadsheet programs write. */
export const makeWorkbook = ({
  sheets,
  strings = [],
  styles = [0],
  formats = {},
  from1904 = false,
  more = [],
}: MadeWorkbook): Uint8Array => {
  const names = Object.keys(sheets)
  const relation = (id: string, kind: string, target: string) =>
    `<Relationship Id="${id}" Type="${kinds}/${kind}" Target="${target}"/>`
  const relations = (list: readonly string[]) => `${head}<Relationships xmlns="${packages}">${list.join('')}</Relationships>`
  const listed = names.map((name, i) => `<sheet name="${escaped(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`).join('')
  const numbers = Object.entries(formats).map(([id, code]) => `<numFmt numFmtId="${id}" formatCode="${escaped(code)}"/>`)
  const members: Member[] = [
    { name: '_rels/.rels', content: relations([relation('rId1', 'officeDocument', 'xl/workbook.xml')]) },
    {
      name: 'xl/workbook.xml',
      content: `${head}<workbook xmlns="${main}" xmlns:r="${kinds}"><workbookPr${from1904 ? ' date1904="1"' : ''}/><sheets>${listed}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: relations([
        ...names.map((_, i) => relation(`rId${i + 1}`, 'worksheet', `worksheets/sheet${i + 1}.xml`)),
        relation('rIdS', 'styles', 'styles.xml'),
        relation('rIdT', 'sharedStrings', '/xl/sharedStrings.xml'),
      ]),
    },
    {
      name: 'xl/styles.xml',
      content: `${head}<styleSheet xmlns="${main}"><numFmts>${numbers.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${styles.map((id) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs></styleSheet>`,
    },
    {
      name: 'xl/sharedStrings.xml',
      content: `${head}<sst xmlns="${main}">${strings.map((text) => `<si>${text.startsWith('<') ? text : `<t xml:space="preserve">${escaped(text)}</t>`}</si>`).join('')}</sst>`,
    },
    ...Object.values(sheets).map((rows, i) => ({
      name: `xl/worksheets/sheet${i + 1}.xml`,
      content: `${head}<worksheet xmlns="${main}"><sheetData>${rows.join('')}</sheetData></worksheet>`,
    })),
  ]
  return makeZip([...members.filter(({ name }) => !more.some((other) => other.name === name)), ...more])
}

/** A row with text cells. */
export const textRow = (line: number, ...texts: readonly string[]): string =>
  `<row r="${line}">${texts.map((text) => `<c t="inlineStr"><is><t>${escaped(text)}</t></is></c>`).join('')}</row>`
