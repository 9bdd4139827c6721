import type { ReportedFault, RowFault } from '@postil/contract/files/imports.ts'
import { readReason } from '@postil/contract/wire/reasons.ts'

/** Faults as a dry run reports them, in file order, with the codes of their sentences. */
export const reportedFaults = (...faults: readonly (readonly RowFault[])[]): ReportedFault[] =>
  faults
    .flat()
    .sort((a, b) => a.row - b.row)
    .map((fault) => ({ ...fault, reason_parts: [...readReason(fault.reason)] }))
