/** The days of due dates that people work on: Overview and Returns show the same returns. */
export const DUE_DAYS_BACK = 290
export const DUE_DAYS_AHEAD = 105
