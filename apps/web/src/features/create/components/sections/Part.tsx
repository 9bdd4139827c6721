import type { ReactNode } from 'react'
import { useId } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { IconButton } from '#ui/controls/IconButton.tsx'
import { Input } from '#ui/controls/Input.tsx'
import { TrashIcon } from '#ui/marks/icons.tsx'
import type { PartFault, PartFaults } from '../../faults.ts'
import styles from './Parts.module.css'

/** Returns the messages below the inputs of a part. */
export const useTextFault = (faults: PartFaults | undefined, tried: boolean): ((on: PartFault['on']) => string | null) => {
  const { t } = useTranslation('features/create')
  return (on) => {
    const fault = faults?.words.find((one) => one.on === on)
    // An empty input is only reported after an attempt to save.
    if (fault === undefined || (fault.message === 'required' && !tried)) return null
    return t(`fault.${fault.message}`, { max: fault.max })
  }
}

type PartText = { readonly key: string; readonly source: string | null; readonly name: string; readonly title: string }
type Props = {
  readonly part: PartText
  /** The heading of a part without a name. */
  readonly unnamedTitle: string
  readonly faultOn: (on: PartFault['on']) => string | null
  readonly onChange: (change: { readonly name?: string; readonly title?: string }) => void
  readonly onRemove: () => void
  /** Content next to the name and title. */
  readonly kind: ReactNode
  /** Content below the name and title. */
  readonly children?: ReactNode
}

export const Part = ({ part, unnamedTitle, faultOn, onChange, onRemove, kind, children }: Props) => {
  const { t } = useTranslation('features/create')
  const id = useId()
  const shown = part.title.trim() || part.name.trim() || unnamedTitle
  return (
    <li className={styles['part']} aria-labelledby={id} data-part={part.key}>
      <div className={styles['partHead']}>
        <h3 id={id} className={styles['partTitle']}>
          <bdi>{shown}</bdi>
        </h3>
        {part.source !== null && (
          <span className={styles['source']}>
            {t('part.fromColumn')} <code>{part.source}</code>
          </span>
        )}
        <IconButton icon={TrashIcon} className={styles['remove']} label={t('part.remove', { name: shown })} onClick={onRemove} />
      </div>
      <div className={styles['words']}>
        <Input
          label={t('part.name')}
          error={faultOn('name')}
          value={part.name}
          autoComplete="off"
          onChange={(event) => onChange({ name: event.target.value })}
        />
        <Input
          label={t('part.title')}
          error={faultOn('title')}
          value={part.title}
          placeholder={part.name}
          autoComplete="off"
          onChange={(event) => onChange({ title: event.target.value })}
        />
        {kind}
      </div>
      {children}
    </li>
  )
}
