import { formatCount } from './format.ts'
import { useTranslation } from './use-translation.ts'

type RecordProgress = {
  readonly total: number
  readonly completed: number
  /** Absent in counts that an earlier version of the web app stored on the device. */
  readonly answers?: number | undefined
  readonly answers_needed?: number | undefined
}

/**
 * Returns the value and the total of a progress bar. Uses the answer counts if they are known, because they also reflect partly
 * answered records.
 */
export const progressShare = ({ total, completed, answers, answers_needed }: RecordProgress) =>
  answers === undefined || answers_needed === undefined ? { value: completed, total } : { value: answers, total: answers_needed }

/** Returns a function that describes progress: "1 of 80 answers · 0 of 40 complete". */
export const useProgressText = () => {
  const { t } = useTranslation()
  return (progress: RecordProgress): string => {
    const { completed, total } = progress
    const complete = t('progress.complete', { completed: formatCount(completed), total: formatCount(total) })
    const { value, total: needed } = progressShare(progress)
    // If one answer completes a record, there are as many answers as completed records. Only one of the two counts is then shown.
    if (value === completed && needed === total) return complete
    const answers = t('progress.answers', { count: needed, answers: formatCount(value), needed: formatCount(needed) })
    // The non-breaking space prevents a line break before the dot.
    return `${answers}\u00a0· ${complete}`
  }
}
