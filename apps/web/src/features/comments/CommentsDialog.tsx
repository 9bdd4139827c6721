import type { Question } from '@postil/contract/questions.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Dialog } from '#ui/overlays/Dialog.tsx'
import { Comments } from './Comments.tsx'

type Props = {
  readonly recordId: string
  readonly questions: readonly Question[]
  readonly onOpenChange: (isOpen: boolean) => void
}

/** The comments on a record, in a sheet over the page. */
export const CommentsDialog = ({ recordId, questions, onOpenChange }: Props) => {
  const { t } = useTranslation('features/comments')
  return (
    <Dialog open look="sheet" title={t('title')} onOpenChange={onOpenChange}>
      <Comments recordId={recordId} questions={questions} />
    </Dialog>
  )
}
