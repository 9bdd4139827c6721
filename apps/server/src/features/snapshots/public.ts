export { adoptSnapshots } from './adopt.ts'
export { recordsThen, type ThenPage } from './records-then.ts'
export { type StoredSnapshot, snapshotNamed } from './rows.ts'
