export { type Column, wideTable } from './columns.ts'
export type { ExportContext } from './context.ts'
export { exportContext } from './queries.ts'
export { allRecords, download } from './service.ts'
