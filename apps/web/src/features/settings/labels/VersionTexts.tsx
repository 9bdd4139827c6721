import type { Question } from '@postil/contract/questions.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { TextDiffs } from '#question-types/shared/TextDiff.tsx'
import { Button } from '#ui/controls/Button.tsx'
import { ProblemNotice } from '#ui/feedback/ProblemNotice.tsx'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { Dialog } from '#ui/overlays/Dialog.tsx'
import { schemaDiffQuery } from './api.ts'
import styles from './LabelsDialog.module.css'

type Props = { readonly datasetId: string; readonly no: number; readonly questions: readonly Question[] }

/** A button that shows the guidelines and descriptions before and after a version. */
export const VersionTexts = (props: Props) => {
  const { t } = useTranslation('features/settings')
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button look="quiet" aria-label={t('versions.showTextsOf', { no: props.no })} onClick={() => setIsOpen(true)}>
        {t('versions.showTexts')}
      </Button>
      <Dialog open={isOpen} wide onOpenChange={setIsOpen} title={t('versions.name', { no: props.no })}>
        <Texts {...props} />
      </Dialog>
    </>
  )
}

const Texts = ({ datasetId, no, questions }: Props) => {
  const { t } = useTranslation('features/settings')
  const { data, error } = useQuery(schemaDiffQuery(datasetId, no))
  if (error) return <ProblemNotice error={error} />
  if (!data) return <Skeleton height="6lh" />
  return (
    <div className={styles['form']}>
      <TextDiffs
        guidelinesTitle={t('general.guidelines')}
        guidelines={data.guidelines}
        descriptions={data.descriptions}
        questions={questions}
      />
    </div>
  )
}
