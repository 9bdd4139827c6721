import type { AnsweredBy as People } from '@postil/contract/home.ts'
import { formatCount, formatList } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Avatar } from '#ui/marks/Avatar.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './AnsweredBy.module.css'

type Props = { readonly people: People; readonly className: string | undefined }

export const AnsweredBy = ({ people: { usernames, total }, className }: Props) => {
  const { t } = useTranslation('features/home')
  if (usernames.length === 0) return null
  const others = total - usernames.length
  const number = formatCount(others)
  const shownNames = others > 0 ? [...usernames, t('otherPeople', { count: others, number })] : usernames
  return (
    <span
      role="img"
      className={classNames(styles['people'], className)}
      aria-label={t('answeredBy', { people: formatList(shownNames, true) })}
    >
      {usernames.map((name) => (
        <Avatar key={name} name={name} size="mini" />
      ))}
      {others > 0 && <span className={styles['others']}>+{number}</span>}
    </span>
  )
}
