import type { GoldReason } from '@postil/contract/gold.ts'

/** The keys of the reasons for a disagreement. They are the same in all languages. */
export const reasonKeys: { readonly [R in GoldReason]: string } = {
  ambiguous: 'a',
  guideline_gap: 'g',
  slip: 's',
  subjective: 'u',
}

/** All reasons, in the order in which they are shown. */
export const reasons = Object.keys(reasonKeys) as readonly GoldReason[]

export const reasonOfKey = (key: string): GoldReason | null =>
  reasons.find((reason) => reasonKeys[reason] === key.toLowerCase()) ?? null
