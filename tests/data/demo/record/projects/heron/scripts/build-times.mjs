console.log("bundle   6 s\nimages  41 s\npages    5 s");
