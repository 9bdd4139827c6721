import type { ReportedFault, RowFault } from '@postil/contract/files/imports.ts'
import type { Reason } from '@postil/contract/wire/message.ts'
import { partsOf, renderMessage } from '@postil/contract/wire/render-message.ts'

/** A row that can't become a record, with a structured reason. */
export type FaultyRow = Omit<RowFault, 'reason'> & { readonly reason: Reason }

/** A faulty row in report format. */
export const printFault = (fault: FaultyRow): RowFault => ({ ...fault, reason: renderMessage(fault.reason) })

/** Faults in file order, as a dry run reports them, with message codes. */
export const reportedFaults = (...faults: readonly (readonly FaultyRow[])[]): ReportedFault[] =>
  faults
    .flat()
    .sort((a, b) => a.row - b.row)
    .map((fault) => ({ ...printFault(fault), reason_parts: partsOf(fault.reason) }))
