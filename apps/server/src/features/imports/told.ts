import type { RowFault, ToldFault } from '@postil/contract/files/imports.ts'
import { readReason } from '@postil/contract/wire/reasons.ts'

/** Faults as a dry run tells them, in the order of the file: with what their sentences say, by codes. */
export const toldFaults = (...faults: readonly (readonly RowFault[])[]): ToldFault[] =>
  faults
    .flat()
    .sort((a, b) => a.row - b.row)
    .map((fault) => ({ ...fault, reason_parts: [...readReason(fault.reason)] }))
