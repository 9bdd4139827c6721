import type { HomeDataset } from '@postil/contract/home.ts'
import { Fragment } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { useTypeNames } from '#i18n/use-type-names.ts'
import { VisuallyHidden } from '#ui/marks/VisuallyHidden.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './PartTypes.module.css'

type Props = {
  readonly fields: HomeDataset['field_types']
  readonly questions: HomeDataset['question_types']
  readonly className: string | undefined
}

/** The field and question types of a dataset. */
export const PartTypes = ({ fields, questions, className }: Props) => {
  const { t } = useTranslation('features/home')
  const nameOf = useTypeNames()
  const parts = [
    { title: t('fields'), names: fields.map((kind) => nameOf('field', { type: kind })) },
    { title: t('questions'), names: questions.map((kind) => nameOf('question', { type: kind })) },
  ].filter(({ names }) => names.length > 0)
  return (
    parts.length > 0 && (
      <p className={classNames(styles['types'], className)}>
        {parts.map(({ title, names }, at) => (
          <Fragment key={title}>
            {at > 0 && ' · '}
            <VisuallyHidden>{title} </VisuallyHidden>
            {names.join(', ')}
          </Fragment>
        ))}
      </p>
    )
  )
}
