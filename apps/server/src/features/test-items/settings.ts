/** How test items are assigned. */
export type Checks = {
  /** The interval between test items. If it is 10, every tenth record that a person gets is a test item. */
  readonly every: number
  /** The score below which a person gets no more records; null if nobody is stopped. */
  readonly stop_below: number | null
  /** The largest difference from the final answer at which a rating counts as correct. */
  readonly tolerance: number
  /** The saved view that selects the records for test items; null for all completed records with final answers. */
  readonly view_id: string | null
}

type Dataset = { readonly review: { readonly [key: string]: unknown } | null }

/** The command that stores the settings has validated them. Earlier versions didn't store a view. */
type StoredChecks = Omit<Checks, 'view_id'> & { readonly view_id?: string | null }
const withView = (stored: StoredChecks | null): Checks | null => stored && { ...stored, view_id: stored.view_id ?? null }

/** The rules in the review settings; null if there are no test items. */
export const checksOf = ({ review }: Dataset): Checks | null =>
  withView((review?.['checks'] as StoredChecks | null | undefined) ?? null)

/**
 * Whether a person can review, and therefore sees the final answers.
 * @param isLead whether the person is an owner or an admin of the workspace
 */
export const seesFinalAnswers = (dataset: Dataset, userId: string, isLead: boolean): boolean =>
  isLead || ((dataset.review?.['reviewers'] ?? []) as readonly string[]).includes(userId)

/**
 * How test items are assigned to a person. Null if the dataset has no test items. Also null for people who can review, because
 * they see the final answers.
 * @param isLead whether the person is an owner or an admin of the workspace
 */
export const checksFor = (dataset: Dataset, userId: string, isLead: boolean): Checks | null =>
  seesFinalAnswers(dataset, userId, isLead) ? null : checksOf(dataset)
