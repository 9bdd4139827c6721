import type { ProblemData } from '@postil/contract/wire/errors.ts'

export type WorkerSetup = {
  readonly path: string
  readonly mode: 'writer' | 'reader'
  readonly timeoutMs: number | undefined
  /** URL of the module that declares all operations. */
  readonly operations: string
  /** Folder of compiled code, shared with the main thread. */
  readonly compileCache: string | undefined
}
export type Request = {
  readonly id: number
  readonly name: string
  readonly args: unknown
  /** Whether a `LateInputMessage` follows. */
  readonly hasLateInput: boolean
}
/** The late input of a command: data that may arrive after the command has started. Null if there is none. */
export type LateInputMessage = { readonly id: number; readonly lateInput: Uint8Array | null }
type WorkerFault = { readonly message: string; readonly stack?: string; readonly code?: string }
export type Answer =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly problem: ProblemData }
  /** The query needs the text index, which doesn't include new records yet. */
  | { readonly id: number; readonly ok: false; readonly textDue: true }
  | { readonly id: number; readonly ok: false; readonly error: WorkerFault }
