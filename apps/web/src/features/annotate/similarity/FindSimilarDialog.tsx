import type { Similarity } from '@postil/contract/annotation-query/grammar.ts'
import type { VectorSettings } from '@postil/contract/vectors-settings.ts'
import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Dialog } from '#ui/overlays/Dialog.tsx'
import styles from './FindSimilarDialog.module.css'

type Choice = Pick<Similarity, 'vector' | 'order'>
type Props = {
  readonly vectors: readonly VectorSettings[]
  readonly onFind: (choice: Choice) => void
  readonly onClose: () => void
}

type GroupProps = {
  readonly name: string
  readonly title: string
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly value: string
  readonly onChange: (value: string) => void
}

const Group = ({ name, title, options, value, onChange }: GroupProps) => (
  <fieldset className={styles['group']}>
    <legend className={styles['legend']}>{title}</legend>
    {options.map((option) => (
      <label key={option.value} className={styles['option']}>
        <input type="radio" name={name} checked={option.value === value} onChange={() => onChange(option.value)} />
        <bdi>{option.label}</bdi>
      </label>
    ))}
  </fieldset>
)

/** For records with several vectors: asks which vector to use, and whether to find the most or the least similar records. */
export const FindSimilarDialog = ({ vectors, onFind, onClose }: Props) => {
  const { t } = useTranslation('features/annotate')
  const [choice, setChoice] = useState<Choice>({ vector: vectors[0]?.name ?? '', order: 'most' })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('similarity.find')}
      actions={
        <Button look="primary" onClick={() => onFind(choice)}>
          {t('similarity.apply')}
        </Button>
      }
    >
      <div className={styles['groups']}>
        <Group
          name="order"
          title={t('similarity.order')}
          value={choice.order}
          options={[
            { value: 'most', label: t('similarity.choice.most') },
            { value: 'least', label: t('similarity.choice.least') },
          ]}
          onChange={(order) => setChoice({ ...choice, order: order === 'least' ? 'least' : 'most' })}
        />
        <Group
          name="vector"
          title={t('similarity.vector')}
          value={choice.vector}
          options={vectors.map((vector) => ({ value: vector.name, label: vector.title }))}
          onChange={(vector) => setChoice({ ...choice, vector })}
        />
      </div>
    </Dialog>
  )
}
