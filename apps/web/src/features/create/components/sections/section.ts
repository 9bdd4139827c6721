import type { Draft } from '../../draft.ts'
import type { Faults } from '../../faults.ts'

/** What every section of the form is given. */
export type SectionProps = {
  readonly draft: Draft
  readonly faults: Faults
  /** The dataset was asked for: what is missing is told from then on. */
  readonly tried: boolean
  readonly onChange: (draft: Draft) => void
}

export const changedPart = <P extends { readonly key: string }>(
  parts: readonly P[],
  key: string,
  change: Partial<P>,
): readonly P[] => parts.map((part) => (part.key === key ? { ...part, ...change } : part))

export const removedPart = <P extends { readonly key: string }>(parts: readonly P[], key: string): readonly P[] =>
  parts.filter((part) => part.key !== key)

/** Puts the focus into a part that was just added, or on the button that adds others where one was removed. */
export const focusPart = (key: string | null | undefined, list?: string): void => {
  requestAnimationFrame(() => {
    const place = key ? `[data-part="${key}"] input` : `[data-add="${list}"]`
    const found = document.querySelector<HTMLElement>(place)
    found?.focus()
    if (found instanceof HTMLInputElement) found.select()
  })
}
