import { useTranslation } from '#i18n/use-translation.ts'
import { Pill } from '#ui/marks/Pill.tsx'
import styles from './SettingsPage.module.css'

type Props = {
  readonly name: string
  readonly title: string
  readonly type: string
  /** Left out where nothing can be required. */
  readonly required?: boolean
}

/** What of a thing stays as it is: its name, where that differs from the title, its type, whether it is required. */
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
