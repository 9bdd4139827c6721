import { type Action, admins } from './action.ts'

export const comparisonActions: readonly Action[] = [
  {
    id: 'comparisons.report',
    allowed: admins,
    missing: 'found first',
    request: async ({ rich, word }) => ({
      params: { dataset_id: rich.dataset.id },
      query: { first: `${word}-topic`, second: `${word}-hidden` },
    }),
  },
]
