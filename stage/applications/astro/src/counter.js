document.querySelector(".counted").textContent = "release-1";
