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
  /** Whether the result is wanted as soon as it is there: the answer then comes without it. */
  readonly early: boolean
  /** Whether `Additional` follows. */
  readonly goesOn: boolean
}
/** What a command asks for as `more`; null where there is none after all. */
export type Additional = { readonly id: number; readonly more: Uint8Array | null }
/** What a command gives, which is not on disk yet. */
export type Early = { readonly id: number; readonly early: unknown }
export type WorkerFault = { readonly message: string; readonly stack?: string; readonly code?: string }
export type Answer =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly problem: ProblemData }
  /** The query asks a text index that new records are not in yet. */
  | { readonly id: number; readonly ok: false; readonly textDue: true }
  | { readonly id: number; readonly ok: false; readonly error: WorkerFault }
