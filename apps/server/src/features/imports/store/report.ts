import { reportCell } from '@postil/contract/files/csv-cell.ts'
import { fileTypes } from '@postil/contract/files/files.ts'
import type { RowFault } from '@postil/contract/files/imports.ts'
import { type Actor, actorOf } from '#platform/auth/actor.ts'
import type { Store } from '#platform/db/store.ts'
import { FileStream } from '#platform/http/answers/answers.ts'
import { stemOf } from '../inspect/stem.ts'
import * as queries from '../queries.ts'

export type ReportFormat = 'jsonl' | 'csv'
const PAGE = 500

const printers: { readonly [F in ReportFormat]: { readonly heading: string; readonly row: (fault: RowFault) => string } } = {
  jsonl: { heading: '', row: (fault) => `${JSON.stringify(fault)}\n` },
  csv: {
    heading: 'row,line,column,reason\r\n',
    row: ({ row, line, column, reason }) => `${[row, line, column, reason].map(reportCell).join(',')}\r\n`,
  },
}

const printFaults = (faults: readonly RowFault[], format: ReportFormat): string => faults.map(printers[format].row).join('')

/** The rows that an import has rejected so far, as a file. @throws Problem not_found, forbidden */
export const reportOf = async (
  { store }: { readonly store: Store },
  user: Actor,
  { dataset_id, file_id }: { readonly dataset_id: string; readonly file_id: string },
  format: ReportFormat,
): Promise<FileStream> => {
  const { file } = await store.read(queries.findImport, { user: actorOf(user), dataset_id, file_id })
  async function* chunks(): AsyncGenerator<Uint8Array> {
    const { heading } = printers[format]
    if (heading !== '') yield Buffer.from(heading)
    for (let after: number | undefined = 0; after !== undefined; ) {
      const page: readonly RowFault[] = await store.read(queries.faultsAfter, { import_id: file_id, after, limit: PAGE })
      if (page.length > 0) yield Buffer.from(printFaults(page, format))
      after = page.length < PAGE ? undefined : page.at(-1)?.row
    }
  }
  return new FileStream(`${stemOf(file.name)}-report.${fileTypes[format].extension}`, fileTypes[format].contentType, chunks())
}
