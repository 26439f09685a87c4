const cents = [199, 199, 199];
console.log(cents.reduce((sum, one) => sum + one, 0));
