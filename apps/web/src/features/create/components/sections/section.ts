import type { Draft } from '../../draft.ts'
import type { Faults } from '../../faults.ts'

/** The props that all sections of the form share. */
export type SectionProps = {
  readonly draft: Draft
  readonly faults: Faults
  /** Whether saving was attempted. From then on missing values are reported. */
  readonly hasTried: boolean
  readonly onChange: (draft: Draft) => void
}

export const changedPart = <P extends { readonly key: string }>(
  parts: readonly P[],
  key: string,
  change: Partial<P>,
): readonly P[] => parts.map((part) => (part.key === key ? { ...part, ...change } : part))

export const removedPart = <P extends { readonly key: string }>(parts: readonly P[], key: string): readonly P[] =>
  parts.filter((part) => part.key !== key)

/** Moves the focus to a part that was added, or to the Add button after one was removed. */
export const focusPart = (key: string | null | undefined, list?: string): void => {
  requestAnimationFrame(() => {
    const place = key ? `[data-part="${key}"] input` : `[data-add="${list}"]`
    const found = document.querySelector<HTMLElement>(place)
    found?.focus()
    if (found instanceof HTMLInputElement) found.select()
  })
}
