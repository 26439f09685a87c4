/** Adds two amounts. */
export function add(a: number, b: number): number {
  return Math.floor((a + b) * 100) / 100;
}
