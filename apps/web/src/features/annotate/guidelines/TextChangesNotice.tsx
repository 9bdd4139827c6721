import type { Question } from '@postil/contract/questions.ts'
import type { TextChanges } from '@postil/contract/schema-versions.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { formatDateTime } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { TextDiffs } from '#question-types/shared/TextDiff.tsx'
import { Button } from '#ui/controls/Button.tsx'
import { toastProblem } from '#ui/feedback/toast.ts'
import { BookIcon } from '#ui/marks/icons.tsx'
import { seeVersion, textChangesQuery } from '../api.ts'
import styles from './TextChangesNotice.module.css'

type Props = {
  readonly datasetId: string
  readonly questions: readonly Question[]
  readonly changes: TextChanges
  /**
   * Called when the server has stored that the user saw the changes. The notice then disappears, together with the focused
   * button.
   */
  readonly onSeen: () => void
}

/** How the guidelines and descriptions have changed since the user last confirmed them. */
export const TextChangesNotice = ({ datasetId, questions, changes, onSeen }: Props) => {
  const { t } = useTranslation('features/annotate')
  const client = useQueryClient()
  const seen = useMutation({
    mutationFn: () => seeVersion(datasetId, changes.version),
    onSuccess: () => {
      client.setQueryData(textChangesQuery(datasetId).queryKey, null)
      onSeen()
    },
    onError: toastProblem,
  })
  const { at, guidelines, descriptions } = changes
  return (
    <section className={styles['notice']} aria-labelledby="text-changes-title">
      <div className={styles['head']}>
        <BookIcon />
        <h2 id="text-changes-title" className={styles['title']}>
          {t('textChanges.title')}
        </h2>
        <time className={styles['when']}>{formatDateTime(at)}</time>
        <Button busy={seen.isPending} onClick={() => seen.mutate()}>
          {t('textChanges.seen')}
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
      {/* biome-ignore lint/a11y/useSemanticElements: the group contains no inputs */}
      <div className={styles['texts']} tabIndex={0} role="group" aria-labelledby="text-changes-title">
        <TextDiffs
          guidelinesTitle={t('guidelines.title')}
          guidelines={guidelines}
          descriptions={descriptions}
          questions={questions}
        />
      </div>
    </section>
  )
}
