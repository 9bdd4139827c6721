import type { ReactElement, SVGProps } from 'react'

type IconProps = { readonly size?: number; readonly className?: string | undefined }
export type Icon = (props: IconProps) => ReactElement

/**
 * Icons drawn as lines on a 16 px grid, in the color of the adjacent text. The text says the same, so the icons are hidden from
 * assistive technology.
 */
export const Drawing = ({ size = 16, ...rest }: IconProps & SVGProps<SVGSVGElement>) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.5"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    focusable="false"
    {...rest}
  />
)

export const stroke =
  (...paths: readonly string[]): Icon =>
  ({ size, className }) => (
    <Drawing {...(size !== undefined && { size })} className={className}>
      {paths.map((path) => (
        <path key={path} d={path} />
      ))}
    </Drawing>
  )

export const ring = 'M8 1.75a6.25 6.25 0 1 1 0 12.5a6.25 6.25 0 1 1 0-12.5z'

// The icons that every screen needs, including sign-in. They have a file of their own, so that sign-in does not load the
// others.
export const InfoIcon = stroke(ring, 'M8 7.25v3.5', 'M8 5v.01')
export const ChevronDownIcon = stroke('M4 6l4 4l4-4')
export const WarningIcon = stroke('M8 2.25L14.5 13.5H1.5z', 'M8 6.5v3.25', 'M8 11.6v.01')
export const DangerIcon = stroke('M5.4 1.75h5.2l3.65 3.65v5.2l-3.65 3.65H5.4l-3.65-3.65V5.4z', 'M8 4.75v4', 'M8 11v.01')
export const CloseIcon = stroke('M4 4l8 8', 'M12 4l-8 8')
export const SpinnerIcon = stroke('M8 1.75A6.25 6.25 0 0 1 14.25 8')
export const SubmittedIcon = stroke(ring, 'M5 8.3l2.1 2.1L11 6')
