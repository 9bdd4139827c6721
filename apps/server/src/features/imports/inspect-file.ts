import { unprocessable } from '@postil/contract/errors.ts'
import type { ImportColumn, ImportFile, ImportFormat } from '@postil/contract/imports.ts'
import { firstRows, INSPECTED, inspect } from './inspect.ts'
import type { Layout } from './layout.ts'
import { readBatch } from './reading/batch.ts'
import { openLayout } from './reading/open-layout.ts'

/**
 * What a file is and what its first rows hold.
 * @throws Problem unprocessable for a file without a row that can be read
 */
export const inspectFile = async (
  path: string,
  format: ImportFormat,
): Promise<{ layout: Layout; columns: readonly ImportColumn[]; rows: ImportFile['rows'] }> => {
  const layout = await openLayout(path, format)
  const { rows, fault } = await readBatch(path, layout, layout.first, INSPECTED)
  if (fault !== null && rows.length === 0) throw unprocessable(`Line ${fault.line} of the file cannot be read: ${fault.message}`)
  if (rows.length === 0) throw unprocessable('The file has no rows')
  const faulty = rows.find((row) => 'fault' in row)
  if (faulty !== undefined && 'fault' in faulty && rows.every((row) => 'fault' in row)) {
    throw unprocessable(`No row of the file can be read. Line ${faulty.line}: ${faulty.fault}`)
  }
  const columns = inspect(rows, layout.header, layout.header.length > 0)
  return { layout, columns, rows: firstRows(rows, columns) }
}
