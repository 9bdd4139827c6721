/** Column kinds, the same on both engines. `tables.ts` is built from them. */
export type ColumnKind = 'int' | 'real' | 'text' | 'uuid' | 'time' | 'bool' | 'json' | 'blob' | 'vector'

/** JSON text from `json()` in `codecs.ts`, the only type that a JSON column accepts. */
export type Json = string & { readonly __json: unique symbol }

export type Column<S, I> = {
  readonly kind: ColumnKind
  /** Whether the store assigns a value if an inserted row omits this column. The value is greater than in all earlier rows. */
  readonly rises?: true
  readonly __select?: S
  readonly __insert?: I
}
const column =
  <S, I = S>(kind: ColumnKind) =>
  (): Column<S, I> => ({ kind })

export const int = column<number>('int')
export const real = column<number>('real')
export const time = column<number>('time')
export const bool = column<boolean>('bool')
export const uuid = column<string>('uuid')
export const blob = column<Uint8Array>('blob')
export const vector = column<Uint8Array | string>('vector')
export const text = <T extends string = string>(): Column<T, T> => ({ kind: 'text' })
export const json = <T = unknown>(): Column<T, Json> => ({ kind: 'json' })
export const rising = (): Column<number, number | undefined> => ({ kind: 'int', rises: true })
/** A column with a default value, which inserted rows may omit. */
export const defaulted = <S, I>(c: Column<S, I>): Column<S, I | undefined> => c as Column<S, I | undefined>
export const nullable = <S, I>(c: Column<S, I>): Column<S | null, I | null> => c as Column<S | null, I | null>
