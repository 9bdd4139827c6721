import { useTranslation } from '#i18n/use-translation.ts'
import { Pill } from '#ui/marks/Pill.tsx'
import styles from './SettingsPage.module.css'

type Props = {
  readonly name: string
  readonly title: string
  readonly type: string
  /** Omitted for items that can't be required. */
  readonly required?: boolean
}

/** The fixed properties of an item: its name if that differs from the title, its type, and whether it is required. */
export const About = ({ name, title, type, required }: Props) => {
  const { t } = useTranslation('features/settings')
  return (
    <>
      {name !== title && <code className={styles['code']}>{name}</code>}
      <Pill>{type}</Pill>
      {required !== undefined && <Pill>{required ? t('required') : t('optional')}</Pill>}
    </>
  )
}
